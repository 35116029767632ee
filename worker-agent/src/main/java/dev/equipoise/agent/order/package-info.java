/**
 * The order of events, where it is chance: what each thread of a rank has decided, kept so that it
 * can be told, and imposed so that it can be repeated.
 */
@NullMarked
package dev.equipoise.agent.order;

import org.jspecify.annotations.NullMarked;
