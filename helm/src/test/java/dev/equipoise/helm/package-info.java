/**
 * Tests of the Helm chart. Helm renders it for each values file, and the tests check the Kubernetes
 * objects without a cluster.
 */
@NullMarked
package dev.equipoise.helm;

import org.jspecify.annotations.NullMarked;
