package dev.equipoise.app.problem;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Stream;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Handles errors that reach no controller, such as a request that the container rejects. It adds
 * nothing to an aborted response, which would then look complete. A request that names this path
 * itself has no error; it finds no resource.
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
        if (request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status) {
            problems.write(request, response, code(status), detail(status));
        } else {
            problems.write(
                    request,
                    response,
                    ErrorCode.NOT_FOUND,
                    "There is no resource at " + request.getRequestURI());
        }
    }

    static String detail(int status) {
        return "The request was rejected with status " + status;
    }

    /** Returns the code for a status of the container, which has more statuses than the API. */
    static ErrorCode code(int status) {
        return switch (status) {
            case HttpServletResponse.SC_BAD_REQUEST -> ErrorCode.INVALID_REQUEST;
            case HttpServletResponse.SC_NOT_IMPLEMENTED -> ErrorCode.METHOD_NOT_ALLOWED;
            default ->
                    Stream.of(ErrorCode.values())
                            .filter(code -> code.status() == status)
                            .findFirst()
                            .orElse(
                                    status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR
                                            ? ErrorCode.INVALID_REQUEST
                                            : ErrorCode.INTERNAL);
        };
    }
}
