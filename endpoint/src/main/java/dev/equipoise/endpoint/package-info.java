/**
 * Address of a service and trust in its certificate, for clients in Java: the agent and the command
 * line.
 */
@NullMarked
package dev.equipoise.endpoint;

import org.jspecify.annotations.NullMarked;
