package dev.equipoise.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test that {@code ./equipoise night} runs and {@code ./equipoise test} skips, because it
 * takes long or depends on the speed of the machine.
 */
@Tag(Night.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Night {

    /** JUnit tag by which the build excludes the test. */
    String TAG = "night";

    /** Why the test does not belong to the gate. */
    String value();
}
