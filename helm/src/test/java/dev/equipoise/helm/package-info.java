/**
 * The chart, rendered by Helm for each file of values that it comes with, and looked at as what
 * Kubernetes would take it for. What no cluster has to be asked for is a rule here.
 */
@NullMarked
package dev.equipoise.helm;

import org.jspecify.annotations.NullMarked;
