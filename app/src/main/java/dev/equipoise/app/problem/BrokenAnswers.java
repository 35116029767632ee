package dev.equipoise.app.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Keeps an answer that fails after it has begun from ending as if it were whole. Its status is sent
 * and cannot tell, so the failure is left to the container, which closes the connection without the
 * last chunk: whoever reads sees that something is missing.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class BrokenAnswers implements HandlerExceptionResolver {

    private static final Logger log = LoggerFactory.getLogger(BrokenAnswers.class);

    /** An answer broke off. */
    private static final class BrokenOff extends RuntimeException {

        BrokenOff(Exception cause) {
            super("the answer broke off", cause);
        }
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception failure) {
        if (!response.isCommitted()) {
            return null;
        }
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            log.debug("a reader has gone: {}", request.getRequestURI());
            return new ModelAndView();
        }
        throw new BrokenOff(failure);
    }
}
