/** The service: one package, one module, one feature; here only what starts it. */
@NullMarked
package dev.equipoise.app;

import org.jspecify.annotations.NullMarked;
