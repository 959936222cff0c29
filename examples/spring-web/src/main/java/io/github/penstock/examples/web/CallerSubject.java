package io.github.penstock.examples.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/** Whom a limit counts. Each kind has its own beginning, so that none can pass for another. */
enum CallerSubject {
  /** The header {@code X-Api-Key}; without one, the address. */
  HEADER {
    @Override
    String of(HttpServletRequest request) {
      String key = request.getHeader("X-Api-Key");
      return key == null ? ADDRESS.of(request) : "key:" + key;
    }
  },
  /** The user that is logged in; without one, the address. */
  USER {
    @Override
    String of(HttpServletRequest request) {
      Principal user = request.getUserPrincipal();
      return user == null ? ADDRESS.of(request) : "user:" + user.getName();
    }
  },
  /** The address that the connection comes from. */
  ADDRESS {
    @Override
    String of(HttpServletRequest request) {
      return "address:" + request.getRemoteAddr();
    }
  };

  abstract String of(HttpServletRequest request);
}
