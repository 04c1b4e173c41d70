package dev.heatline.shop;

/**
 * Thumbnails of products. Known trouble: the allocation hot spot, {@link #paint}, copies the whole
 * picture for every stroke of the brush.
 */
final class Pictures {
    private static final int SIZE = 512;
    private static final int STROKES = 32;
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

    /** Every stroke of the brush, a band of the picture, makes a copy of all that was there. */
    private static byte[] paint(int product) {
        byte[] picture = new byte[SIZE * SIZE];
        int band = picture.length / STROKES;
        for (int stroke = 0; stroke < STROKES; stroke++) {
            byte[] next = new byte[SIZE * SIZE];
            System.arraycopy(picture, 0, next, 0, picture.length);
            for (int i = stroke * band; i < (stroke + 1) * band; i++) {
                next[i] = (byte) ((i * (product + stroke)) >> 4);
            }
            picture = next;
        }
        return picture;
    }
}
