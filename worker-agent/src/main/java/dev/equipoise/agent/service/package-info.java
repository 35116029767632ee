/**
 * The agent's side of the conversation with the service: registering, signs of life, leasing work,
 * and reports that reach the service exactly once and in order.
 */
@NullMarked
package dev.equipoise.agent.service;

import org.jspecify.annotations.NullMarked;
