package dev.heatline.collector.spool;

/** Profiles that will never reach the server, and the samples in them. */
public record Loss(long profiles, long samples) {

    /** Count in a profile's provenance: profiles the spool had no room for or had to set aside. */
    public static final String PROFILES = "profiles dropped by the spool";

    /** Likewise: the samples of those profiles. */
    public static final String SAMPLES = "samples dropped by the spool";

    static final Loss NONE = new Loss(0, 0);

    Loss plus(Loss other) {
        return new Loss(profiles + other.profiles, samples + other.samples);
    }
}
