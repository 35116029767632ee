package dev.equipoise.app.problem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.Retryable;

/**
 * Runs the transaction of a call again after a conflict: another transaction changed the same rows
 * first, which is not the caller's fault. After five more attempts the response has the code {@code
 * conflict}, or {@code busy} if the database itself gave up the transaction.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Retryable(includes = ConcurrencyFailureException.class, maxRetries = 5, delay = 20, jitter = 10)
public @interface RetryOnConflict {

    /**
     * The request attribute that marks a response to such a conflict. A transaction that began
     * before the call cannot be repeated here: the filter that began it finds the attribute and
     * repeats it.
     */
    String OUTRUN = "dev.equipoise.outrun";
}
