package dev.heatline.store;

/**
 * What is kept of an application.
 *
 * @param number stands for the application in keys
 * @param dictionary the number of the one that new profiles are written with
 */
record Application(long number, long dictionary, String name) {

    byte[] toBytes() {
        return new Output().number(number).number(dictionary).text(name).toBytes();
    }

    static Application read(byte[] bytes) {
        Input in = new Input(bytes);
        return new Application(in.number(), in.number(), in.text());
    }
}
