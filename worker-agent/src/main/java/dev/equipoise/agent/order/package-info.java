/**
 * Record and replay: records the choices of each thread of a rank that depend on timing, and
 * imposes them on a later run.
 */
@NullMarked
package dev.equipoise.agent.order;

import org.jspecify.annotations.NullMarked;
