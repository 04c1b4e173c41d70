package dev.heatline.formats;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.heatline.model.ModelException;
import dev.heatline.model.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Heatline's own file, which keeps everything of a Profile. The layout is described in {@code
 * heat.proto}; it is read and written by hand, straight from and into the columns of a Profile.
 */
public final class HeatFormat implements Format {

    /** The last version this class can read, and the one it writes. */
    static final int VERSION = 1;

    /** What every file starts with, before the version. */
    private static final byte[] MAGIC = {(byte) 0x89, 'H', 'E', 'A', 'T', '\r', '\n'};

    private static final int HEADER = MAGIC.length + 1;

    /** Beyond this level files get hardly smaller, but take several times as long to write. */
    private static final int LEVEL = 9;

    /** What zstd can make of a byte at most: a block of 128 KiB from four bytes. */
    private static final long MAX_RATIO = 1 << 15;

    /** Names may take this part of what a file may unpack to. */
    private static final int TEXT_SHARE = 4;

    @Override
    public String name() {
        return "heat";
    }

    @Override
    public List<String> extensions() {
        return List.of(".heat");
    }

    @Override
    public boolean recognises(byte[] start) {
        return start.length >= MAGIC.length
                && Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    @Override
    public boolean isCompressed() {
        return true;
    }

    @Override
    public Profile read(Source source, ReadOptions options) {
        byte[] body = unpack(source, options);
        options.progress().accept(source.bytes().byteSize());
        try {
            return new HeatReader(source.name(), body, options.maxUnpackedBytes() / TEXT_SHARE)
                    .read();
        } catch (ModelException e) {
            throw new FormatException(source.name() + ": damaged: " + e.getMessage());
        }
    }

    @Override
    public void write(Profile profile, OutputStream out, WriteOptions options) throws IOException {
        options.resource().ifPresent(name -> ResourceChoice.used(profile, options));
        byte[] body = HeatWriter.write(profile);
        out.write(MAGIC);
        out.write(VERSION);
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            out.write(zstd.setLevel(LEVEL).setChecksum(true).compress(body));
        }
    }

    private static byte[] unpack(Source source, ReadOptions options) {
        long size = source.bytes().byteSize();
        if (size > Integer.MAX_VALUE - HEADER) {
            throw new FormatException(source.name() + ": is too large for a .heat file");
        }
        byte[] file = source.bytes().toArray(ValueLayout.JAVA_BYTE);
        checkHeader(source.name(), file);
        long bodySize = Zstd.getFrameContentSize(file, HEADER, file.length - HEADER);
        if (bodySize < 0 || bodySize > MAX_RATIO * file.length) {
            throw new FormatException(source.name() + ": damaged at byte " + HEADER);
        }
        if (bodySize > Math.min(options.maxUnpackedBytes(), Integer.MAX_VALUE - HEADER)) {
            throw new FormatException(
                    source.name()
                            + ": unpacks to "
                            + bodySize
                            + " bytes, more than "
                            + options.maxUnpackedBytes()
                            + " are refused");
        }
        byte[] body = new byte[(int) bodySize];
        try {
            long unpacked =
                    Zstd.decompressByteArray(
                            body, 0, body.length, file, HEADER, file.length - HEADER);
            if (Zstd.isError(unpacked)) {
                throw damaged(source.name(), Zstd.getErrorName(unpacked));
            }
            if (unpacked != bodySize) {
                throw damaged(source.name(), "shorter than it says");
            }
        } catch (ZstdException e) {
            throw damaged(source.name(), String.valueOf(e.getMessage()));
        }
        return body;
    }

    private static void checkHeader(String name, byte[] file) {
        if (file.length < HEADER || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new FormatException(name + ": is no .heat file (its first bytes are wrong)");
        }
        if (file.length == HEADER) {
            throw new FormatException(name + ": is cut off after its header");
        }
        int version = file[MAGIC.length] & 0xFF;
        if (version != VERSION) {
            throw new FormatException(
                    name
                            + ": is a .heat file of version "
                            + version
                            + ", this Heatline reads version "
                            + VERSION
                            + "; use a newer Heatline");
        }
    }

    private static FormatException damaged(String name, String how) {
        return new FormatException(name + ": damaged after byte " + HEADER + ": " + how);
    }
}
