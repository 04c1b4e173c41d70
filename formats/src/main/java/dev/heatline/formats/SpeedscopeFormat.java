package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JacksonException;

/**
 * speedscope's JSON: read with sampled and evented profiles, one thread each; written as one
 * sampled profile per thread. One resource per file. What the format has no fields for stands in
 * fields of ours, which speedscope passes over.
 */
public final class SpeedscopeFormat implements Format {
    static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

    @Override
    public String name() {
        return "speedscope";
    }

    @Override
    public List<String> extensions() {
        return List.of(".speedscope.json");
    }

    @Override
    public boolean recognises(byte[] start) {
        String text = new String(start, StandardCharsets.UTF_8).strip();
        return (text.startsWith("{") || text.startsWith("\uFEFF{"))
                && (text.contains(SCHEMA)
                        || (text.contains("\"frames\"") && text.contains("\"shared\""))
                        || (text.contains("\"profiles\"") && text.contains("\"unit\"")));
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        try {
            return new SpeedscopeReader(source, options).read();
        } catch (JacksonException e) {
            throw new FormatException(
                    source.name()
                            + ": damaged JSON"
                            + (e.getLocation() == null
                                    ? ""
                                    : " in line " + e.getLocation().getLineNr())
                            + ": "
                            + e.getOriginalMessage());
        }
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        SpeedscopeWriter.write(profile, out, options);
    }
}
