package dev.heatline.collector.spool;

/** Profiles that will never reach the server, and the samples in them. */
public record Loss(long profiles, long samples) {

    static final Loss NONE = new Loss(0, 0);

    Loss plus(Loss other) {
        return new Loss(profiles + other.profiles, samples + other.samples);
    }
}
