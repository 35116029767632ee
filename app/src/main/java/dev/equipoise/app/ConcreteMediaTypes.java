package dev.equipoise.app;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Rejects bodies whose media type has wildcards; Spring fails at them when it reads the body. */
@Component
final class ConcreteMediaTypes implements HandlerInterceptor, WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        String type = request.getContentType();
        if (type != null && withoutParameters(type).contains("*")) {
            throw Problem.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Type must name one media type, such as application/json, but was "
                            + type);
        }
        return true;
    }

    private static String withoutParameters(String type) {
        int end = type.indexOf(';');
        return end < 0 ? type : type.substring(0, end);
    }
}
