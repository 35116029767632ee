/** State of the agent over HTTP: liveness, readiness and metrics, apart from the training. */
@NullMarked
package dev.equipoise.agent.status;

import org.jspecify.annotations.NullMarked;
