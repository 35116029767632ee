/**
 * The data sets before they are read: what a definition may choose, what each choice looks like to
 * a network, and what was published where under which terms.
 */
@NullMarked
package dev.equipoise.protocol.dataset;

import org.jspecify.annotations.NullMarked;
