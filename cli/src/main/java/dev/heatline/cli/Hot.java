package dev.heatline.cli;

import dev.heatline.model.HotTree;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Which contexts of a stream of profiles are hot, written {@code 1%} or {@code 1%,0.1%}; see {@link
 * HotTree}.
 *
 * @param phi contexts with at least this part of all occurrences are hot, 0 to 1
 * @param epsilon how far counts may be too low, as a part of all occurrences; less than phi
 */
record Hot(double phi, double epsilon) {
    private static final double USUAL_PART = 5;

    static Hot parse(String written) {
        String[] parts = written.split(",", -1);
        if (parts.length > 2) {
            throw new TypeConversionException(written + ": write 1% or 1%,0.2%");
        }
        double phi = Share.parse(parts[0]).value();
        double epsilon = parts.length == 2 ? Share.parse(parts[1]).value() : phi / USUAL_PART;
        if (!(epsilon > 0 && epsilon < phi)) {
            throw new TypeConversionException(
                    written + ": the error must be above 0 and less than what is hot");
        }
        return new Hot(phi, epsilon);
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<Hot> {
        @Override
        public Hot convert(String written) {
            return parse(written);
        }
    }
}
