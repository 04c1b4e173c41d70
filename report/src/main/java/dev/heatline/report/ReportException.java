package dev.heatline.report;

/** A report that cannot be made as asked; the message says what to ask for instead. */
public class ReportException extends RuntimeException {
    public ReportException(String message) {
        super(message);
    }
}
