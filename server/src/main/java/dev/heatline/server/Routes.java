package dev.heatline.server;

/** The paths that are not questions about profiles. */
final class Routes {
    static final String API = "/api/v1";
    static final String PROFILES = API + "/profiles";

    /** Where Pyroscope's agents send. */
    static final String PYROSCOPE = "/ingest";

    /** Where OpenTelemetry's exporters send. */
    static final String OTLP = "/v1development/profiles";

    static final String READY = "/ready";
    static final String METRICS = "/metrics";
    static final String OPENAPI = "/openapi";

    private Routes() {}
}
