package dev.heatline.server.query;

import dev.heatline.formats.Format;
import dev.heatline.formats.Formats;
import dev.heatline.formats.WriteOptions;
import java.util.List;
import java.util.Optional;

/** A selection as a file: {@code /export}. */
final class ExportAnswers {
    private final Questions questions;

    ExportAnswers(Questions questions) {
        this.questions = questions;
    }

    /** The names of the formats that can be asked for. */
    static List<String> formats() {
        return Formats.all().stream().filter(Format::isWritable).map(Format::name).toList();
    }

    Answer export(Params params) {
        String name = params.word("format", "heat", formats());
        Format format = Formats.byName(name).orElseThrow();
        Chosen all = questions.ofAllResources(params);
        // A file may hold every resource; one that was asked for is not replaced by another.
        Chosen chosen = all.resource().isEmpty() ? all : all.ofResource();
        WriteOptions options =
                new WriteOptions(chosen.isEmpty() ? Optional.empty() : chosen.resource());
        return Answer.file(
                "profile" + format.extensions().getFirst(),
                out -> format.write(chosen.profile(), out, options));
    }
}
