/**
 * Client of the service: registration, heartbeats, leases, and reports that reach the service
 * exactly once and in order.
 */
@NullMarked
package dev.equipoise.agent.service;

import org.jspecify.annotations.NullMarked;
