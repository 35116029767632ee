package dev.equipoise.app.problem;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Handles errors that reach no controller, such as a request that the container rejects. It adds
 * nothing to an aborted response, which would then look complete.
 */
@Hidden
@Controller
class ContainerErrors implements ErrorController {

    private final ProblemWriter problems;

    ContainerErrors(ProblemWriter problems) {
        this.problems = problems;
    }

    @RequestMapping("/error")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        problems.write(
                request, response, code(status), "The request was rejected with status " + status);
    }

    private static ErrorCode code(Object status) {
        for (ErrorCode code : ErrorCode.values()) {
            if (status instanceof Integer number && code.status() == number) {
                return code;
            }
        }
        return status instanceof Integer number && number < 500
                ? ErrorCode.INVALID_REQUEST
                : ErrorCode.INTERNAL;
    }
}
