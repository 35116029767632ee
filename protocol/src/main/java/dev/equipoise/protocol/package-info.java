/**
 * Messages between service and agents: self-checking records and sealed interfaces without a
 * framework. Their only behavior is the mathematics that both sides must share.
 */
@NullMarked
package dev.equipoise.protocol;

import org.jspecify.annotations.NullMarked;
