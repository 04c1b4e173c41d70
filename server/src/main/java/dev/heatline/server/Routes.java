package dev.heatline.server;

/** The paths that are not questions about profiles. */
final class Routes {
    static final String API = "/api/v1";
    static final String PROFILES = API + "/profiles";

    /** Where collectors say which JVMs they follow. */
    static final String COLLECTORS = API + "/collectors";

    /** Where they say how measurements go. */
    static final String REPORTS = COLLECTORS + "/measurements";

    /** Where people ask for measurements. */
    static final String MEASUREMENTS = API + "/measurements";

    /** Where Pyroscope's agents send. */
    static final String PYROSCOPE = "/ingest";

    /** Where OpenTelemetry's exporters send. */
    static final String OTLP = "/v1development/profiles";

    static final String READY = "/ready";
    static final String METRICS = "/metrics";
    static final String OPENAPI = "/openapi";

    private Routes() {}
}
