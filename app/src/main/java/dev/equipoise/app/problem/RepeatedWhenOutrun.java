package dev.equipoise.app.problem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.Retryable;

/**
 * A call whose transaction is run again where another one was first to change the same rows:
 * whoever asked has done nothing wrong. After five more attempts the answer is the code {@code
 * conflict}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Retryable(includes = ConcurrencyFailureException.class, maxRetries = 5, delay = 20, jitter = 10)
public @interface RepeatedWhenOutrun {

    /**
     * The attribute of a request that was answered with {@code conflict} as it was outrun. In a
     * transaction that began before the call nothing can be run again here: who has begun it finds
     * the attribute and does.
     */
    String OUTRUN = "dev.equipoise.outrun";
}
