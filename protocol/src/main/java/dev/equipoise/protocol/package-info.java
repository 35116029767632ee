/**
 * What the service and the agents say to each other: records and sealed interfaces, without a
 * framework, which check themselves and otherwise hold no behaviour but the mathematics that both
 * sides must agree on.
 */
@NullMarked
package dev.equipoise.protocol;

import org.jspecify.annotations.NullMarked;
