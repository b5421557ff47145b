package dev.ebb.demo.browser;

import com.microsoft.playwright.options.ColorScheme;

/** A screen on which the dashboard is looked at. */
enum Look {
  LIGHT(1440, 900, ColorScheme.LIGHT),
  DARK(1440, 900, ColorScheme.DARK),
  PHONE(390, 844, ColorScheme.LIGHT),
  PHONE_DARK(390, 844, ColorScheme.DARK);

  final int width;
  final int height;
  final ColorScheme scheme;

  Look(int width, int height, ColorScheme scheme) {
    this.width = width;
    this.height = height;
    this.scheme = scheme;
  }
}
