package dev.heatline.store;

/**
 * What is kept of an application.
 *
 * @param number stands for the application in keys
 * @param dictionary the number of the one that new profiles are written with
 * @param largest how many bytes the largest of them would take in a dictionary of its own
 */
record Application(long number, long dictionary, long largest, String name) {

    /** With a profile of this size written with the same dictionary. */
    Application with(long profileBytes) {
        return new Application(number, dictionary, Math.max(largest, profileBytes), name);
    }

    /** With another dictionary, which nothing was written with. */
    Application renewed(long newDictionary) {
        return new Application(number, newDictionary, 0, name);
    }

    byte[] toBytes() {
        return new Output().number(number).number(dictionary).number(largest).text(name).toBytes();
    }

    static Application read(byte[] bytes) {
        Input in = new Input(bytes);
        return new Application(in.number(), in.number(), in.number(), in.text());
    }
}
