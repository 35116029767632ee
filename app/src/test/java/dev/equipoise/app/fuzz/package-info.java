/** A fuzzer of the HTTP API: requests and checks follow from the OpenAPI description. */
@NullMarked
package dev.equipoise.app.fuzz;

import org.jspecify.annotations.NullMarked;
