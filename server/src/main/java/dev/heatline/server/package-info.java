/**
 * Takes profiles in over HTTP, keeps them in a store, and answers questions about selections of
 * them. Knows nothing of JVMs or collectors: whoever can send a profile may.
 */
@NullMarked
package dev.heatline.server;

import org.jspecify.annotations.NullMarked;
