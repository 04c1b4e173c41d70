/**
 * A small web shop with known troubles: a hot method, an allocation hot spot, a contended lock,
 * recursion, deep stacks; in two versions, of which the newer has a regression.
 */
@NullMarked
package dev.heatline.shop;

import org.jspecify.annotations.NullMarked;
