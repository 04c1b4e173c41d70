package dev.heatline.shop;

/**
 * Thumbnails of products. Known trouble: the allocation hot spot, {@link #paint}, makes the whole
 * picture anew for every thumbnail.
 */
final class Pictures {
    private static final int SIZE = 512;
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

    private static byte[] paint(int product) {
        byte[] picture = new byte[SIZE * SIZE];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = (byte) ((i * (product + 1)) >> 4);
        }
        return picture;
    }
}
