package dev.heatline.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A part of a whole, written {@code 1%} or {@code 0.01}.
 *
 * @param value from 0 to 1
 */
record Share(double value) {

    static Share parse(String written) {
        boolean percent = written.endsWith("%");
        String number = percent ? written.substring(0, written.length() - 1) : written;
        double value;
        try {
            value = Double.parseDouble(number.strip()) / (percent ? 100 : 1);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(written + " is no share; write 1% or 0.01");
        }
        if (!(value >= 0 && value <= 1)) {
            throw new TypeConversionException(
                    written + " is not between 0% and 100%; write 1% or 0.01");
        }
        return new Share(value);
    }

    /** For picocli. */
    static final class Converter implements ITypeConverter<Share> {
        @Override
        public Share convert(String written) {
            return parse(written);
        }
    }
}
