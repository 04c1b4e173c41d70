package dev.heatline.formats;

/**
 * What writer and reader of a tree both expect next: that a consumer's first child and line are
 * what they were when the consumer was seen before. Call chains recur in many contexts, so most
 * codes are 0, which compresses to almost nothing. Codes are heat.proto's.
 */
final class HeatPrediction {
    private final int[] firstChild;
    private final int[] site;

    HeatPrediction(int consumers) {
        firstChild = new int[consumers];
        site = new int[consumers];
    }

    int consumerCode(int parentConsumer, int consumer) {
        boolean expected = firstChild[parentConsumer] == consumer;
        firstChild[parentConsumer] = consumer;
        return expected ? 0 : consumer + 1;
    }

    /** The inverse of {@link #consumerCode}; may be no consumer's id if the input is damaged. */
    int consumer(int parentConsumer, int code) {
        if (code != 0) {
            firstChild[parentConsumer] = code - 1;
        }
        return firstChild[parentConsumer];
    }

    /** A code of up to 32 bits: sites have 31. */
    long siteCode(int consumer, int siteSeen) {
        boolean expected = site[consumer] == siteSeen;
        site[consumer] = siteSeen;
        return expected ? 0 : siteSeen + 1L;
    }

    /** The inverse of {@link #siteCode}. */
    int site(int consumer, int code) {
        if (code != 0) {
            site[consumer] = code - 1;
        }
        return site[consumer];
    }

    /** A site that was told another way. */
    void sawSite(int consumer, int siteSeen) {
        site[consumer] = siteSeen;
    }
}
