package dev.heatline.shop;

/**
 * Thumbnails of products. Known trouble: the allocation hot spot, {@link #paint}, copies the whole
 * picture for every stroke of the brush.
 */
final class Pictures {
    private static final int SIZE = 512;
    private static final int STROKES = 16;
    private static final int THUMBNAIL = 16;

    private Pictures() {}

    /** A small grey picture of a product, in the text form of PGM. */
    static String thumbnail(int product) {
        byte[] picture = paint(product);
        int step = SIZE / THUMBNAIL;
        StringBuilder text = new StringBuilder("P2 " + THUMBNAIL + ' ' + THUMBNAIL + " 255");
        for (int y = 0; y < SIZE; y += step) {
            text.append('\n');
            for (int x = 0; x < SIZE; x += step) {
                text.append(picture[y * SIZE + x] & 0xff).append(' ');
            }
        }
        return text.append('\n').toString();
    }

    /** Every stroke of the brush makes a new picture of the one before. */
    private static byte[] paint(int product) {
        byte[] picture = new byte[SIZE * SIZE];
        for (int stroke = 1; stroke <= STROKES; stroke++) {
            byte[] next = new byte[SIZE * SIZE];
            for (int i = 0; i < next.length; i++) {
                next[i] = (byte) (picture[i] + ((i * (product + stroke)) >> 4));
            }
            picture = next;
        }
        return picture;
    }
}
