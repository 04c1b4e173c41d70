package dev.heatline.report;

import dev.heatline.model.Column;
import dev.heatline.model.Profile;
import dev.heatline.model.Site;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The numbers in the flame graph component's data, as base64 of a raw deflate stream of unsigned
 * LEB128 varints, column after column because equal things side by side pack well: the number of
 * nodes, their depths, consumers and sites (line × 8 + kind) in preorder; the number of resources,
 * and for each the number of rows, their nodes as differences, threads and values.
 *
 * <p>Streamed: besides the depths nothing is held, however large the tree.
 */
final class FlameColumns {
    private static final int BUFFER = 1 << 16;

    private FlameColumns() {}

    static void write(Writer out, Profile profile, FlameHead head) throws IOException {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try (OutputStream bytes =
                new DeflaterOutputStream(
                        Base64.getEncoder().wrap(new AsciiStream(out)), deflater, BUFFER)) {
            Varints varints = new Varints(bytes);
            writeNodes(varints, profile);
            varints.add(profile.columns().size());
            for (Column column : profile.columns()) {
                writeRows(varints, column, head);
            }
            varints.flush();
        } finally {
            deflater.end();
        }
    }

    /** The depth of each node; the root's is 0. */
    static int[] depths(Profile profile) {
        int[] depths = new int[profile.nodeCount()];
        for (int node = 1; node < depths.length; node++) {
            depths[node] = depths[profile.parent(node)] + 1;
        }
        return depths;
    }

    private static void writeNodes(Varints varints, Profile profile) throws IOException {
        int nodes = profile.nodeCount();
        varints.add(nodes);
        for (int depth : depths(profile)) {
            varints.add(depth);
        }
        for (int node = 0; node < nodes; node++) {
            varints.add(profile.consumer(node));
        }
        for (int node = 0; node < nodes; node++) {
            int site = profile.site(node);
            varints.add(Site.line(site) * 8L + Site.kind(site).code());
        }
    }

    private static void writeRows(Varints varints, Column column, FlameHead head)
            throws IOException {
        int rows = column.rows();
        varints.add(rows);
        int previous = 0;
        for (int row = 0; row < rows; row++) {
            varints.add(column.node(row) - previous);
            previous = column.node(row);
        }
        for (int row = 0; row < rows; row++) {
            varints.add(head.thread(column.thread(row)));
        }
        for (int row = 0; row < rows; row++) {
            varints.add(column.value(row));
        }
    }

    /** Unsigned LEB128, collected so that the deflater is not called for single bytes. */
    private static final class Varints {
        private static final int LONGEST = 10;

        private final OutputStream out;
        private final byte[] buffer = new byte[BUFFER];
        private int used;

        Varints(OutputStream out) {
            this.out = out;
        }

        void add(long value) throws IOException {
            if (used + LONGEST > buffer.length) {
                flush();
            }
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                buffer[used++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            buffer[used++] = (byte) rest;
        }

        void flush() throws IOException {
            out.write(buffer, 0, used);
            used = 0;
        }
    }

    /** Base64 is ASCII, so each byte is a character. Closing it leaves the writer open. */
    private static final class AsciiStream extends OutputStream {
        private final Writer out;

        AsciiStream(Writer out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            char[] chars = new char[length];
            for (int i = 0; i < length; i++) {
                chars[i] = (char) bytes[offset + i];
            }
            out.write(chars);
        }
    }
}
