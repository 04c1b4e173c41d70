package dev.heatline.server.query;

/** The text of classes, for whoever shows what their lines used: {@code /source}. */
final class SourceAnswers {
    private final Sources sources;

    SourceAnswers(Sources sources) {
        this.sources = sources;
    }

    byte[] source(Params params) {
        String className = params.require("class", "com.shop.Orders");
        Sources.Source source = sources.of(className);
        return Json.object(
                json -> {
                    json.writeStringProperty("class", className);
                    json.writeStringProperty("file", source.file());
                    json.writeStringProperty("text", source.text());
                });
    }
}
