/**
 * What the service and the agents say to each other: records and sealed interfaces, without a
 * framework and without a line of behaviour beyond checking themselves.
 */
@NullMarked
package dev.equipoise.protocol;

import org.jspecify.annotations.NullMarked;
