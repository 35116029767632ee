/**
 * Data sets before they are read: the choices of a definition, their shapes, and the published
 * sources and terms.
 */
@NullMarked
package dev.equipoise.protocol.dataset;

import org.jspecify.annotations.NullMarked;
