package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A file format that holds profiles. One class per format, both ways where the format allows. */
public interface Format {

    /** How much of a file {@link #recognises} gets to see. */
    int PEEK_BYTES = 4096;

    /** What {@code --format} and messages call it, such as {@code pprof}. */
    String name();

    /** File name endings with their dot; the longest ending of all formats that fits decides. */
    List<String> extensions();

    /**
     * Whether a file that begins with these bytes (up to {@link #PEEK_BYTES}) is of this format.
     */
    boolean recognises(byte[] start);

    /**
     * Reads a whole file.
     *
     * @throws FormatException if it is damaged or not of this format; says where
     */
    Profile read(Source source, ReadOptions options);

    /** Whether {@link #write} works at all. */
    default boolean isWritable() {
        return true;
    }

    /** Whether what {@link #write} writes is already compressed. */
    default boolean isCompressed() {
        return false;
    }

    /**
     * Writes a Profile as far as this format can express it.
     *
     * @throws FormatException if this format cannot hold it, or cannot be written at all
     */
    void write(Profile profile, OutputStream out, WriteOptions options) throws IOException;
}
