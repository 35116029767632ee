/** The service, with one package per module and feature; this package only starts it. */
@NullMarked
package dev.equipoise.app;

import org.jspecify.annotations.NullMarked;
