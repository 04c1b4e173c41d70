package dev.heatline.shop;

/** One article of the catalogue; its price in cents. */
record Product(int id, int category, String name, String description, long cents) {}
