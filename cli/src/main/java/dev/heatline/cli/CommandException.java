package dev.heatline.cli;

/** A command that cannot be carried out; the message says what is wrong, where, what to do. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }
}
