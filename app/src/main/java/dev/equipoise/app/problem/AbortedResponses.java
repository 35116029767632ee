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
 * Lets a response that fails after its start end visibly incomplete. Its status is already sent, so
 * the failure goes to the container, which closes the connection without the last chunk: the reader
 * sees that the end is missing.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class AbortedResponses implements HandlerExceptionResolver {

    private static final Logger log = LoggerFactory.getLogger(AbortedResponses.class);

    /** Marks a response that failed after its start. */
    private static final class AbortedResponse extends RuntimeException {

        AbortedResponse(Exception cause) {
            super("the response failed after its start and was aborted", cause);
        }
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            Exception failure) {
        if (!response.isCommitted() || isTooSlow(failure)) {
            return null;
        }
        if (DisconnectedClientHelper.isClientDisconnectedException(failure)) {
            log.debug("a client disconnected: {}", request.getRequestURI());
            return new ModelAndView();
        }
        throw new AbortedResponse(failure);
    }

    /**
     * Tells whether the container has noted a timeout of the body. It takes nothing more for this
     * response, as if it had begun, and sends a response of its own, which {@link ContainerErrors}
     * writes.
     */
    private static boolean isTooSlow(Exception failure) {
        return failure instanceof Problem problem && problem.code() == ErrorCode.BODY_TOO_SLOW;
    }
}
