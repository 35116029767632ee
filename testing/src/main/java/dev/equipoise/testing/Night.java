package dev.equipoise.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that {@code ./equipoise night} runs and {@code ./equipoise test} leaves out, because it
 * takes long or depends on the speed of the machine.
 */
@Tag(Night.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Night {

    /** As the build excludes it. */
    String TAG = "night";

    /** Why the test does not belong to the gate. */
    String value();
}
