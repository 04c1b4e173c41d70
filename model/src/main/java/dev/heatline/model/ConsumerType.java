package dev.heatline.model;

/** What kind of actor a {@link Consumer} is. The order is the order of consumers in a Profile. */
public enum ConsumerType {
    /** The origin of every calling context; exactly one per Profile. */
    ROOT("root"),
    METHOD("method"),
    CLASS("class"),
    PACKAGE("package"),
    THREAD("thread"),
    LOCK_CLASS("lock class"),
    LOCK("lock"),
    LABEL("label");

    private final String label;

    ConsumerType(String label) {
        this.label = label;
    }

    /** How reports call a consumer of this type. */
    public String label() {
        return label;
    }
}
