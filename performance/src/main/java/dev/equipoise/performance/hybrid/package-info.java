/**
 * A perceptron with one hidden layer, trained by groups of processors: who takes which samples and
 * which hidden units, how long that takes, and how many groups there had best be. The equations are
 * those of ALGORITHMS section 8, with the misprints of their source mended.
 */
@NullMarked
package dev.equipoise.performance.hybrid;

import org.jspecify.annotations.NullMarked;
