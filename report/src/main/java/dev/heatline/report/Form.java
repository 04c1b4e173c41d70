package dev.heatline.report;

/** How a {@link Report} is written. */
public enum Form {
    TEXT,
    JSON,
    HTML
}
