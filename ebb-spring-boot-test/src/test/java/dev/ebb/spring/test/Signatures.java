package dev.ebb.spring.test;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The public signatures of classes, a line each. */
final class Signatures {
  /** What every object has. */
  private static final Set<String> COMMON = Set.of("equals", "hashCode", "toString");

  private Signatures() {}

  static String of(String packageName, List<String> classes) throws ClassNotFoundException {
    StringBuilder lines = new StringBuilder();
    for (String name : classes) {
      if (!name.equals("package-info")) {
        Class<?> type =
            Class.forName(packageName + "." + name, false, Signatures.class.getClassLoader());
        if (isVisible(type)) {
          lines.append(type.toGenericString()).append('\n');
          members(type).stream().sorted().forEach(member -> lines.append(member).append('\n'));
        }
      }
    }
    return lines.toString();
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static List<String> members(Class<?> type) {
    List<String> members = new ArrayList<>();
    members.add("  is " + types(type.getGenericInterfaces()) + ", " + type.getGenericSuperclass());
    for (Field field : type.getDeclaredFields()) {
      if (isVisible(field.getModifiers())) {
        members.add("  " + field.toGenericString());
      }
    }
    for (Constructor<?> made : type.getDeclaredConstructors()) {
      add(members, made, "new");
    }
    for (Method method : type.getDeclaredMethods()) {
      if (!method.isSynthetic() && !COMMON.contains(method.getName())) {
        add(members, method, method.getGenericReturnType().getTypeName() + " " + method.getName());
      }
    }
    return members;
  }

  private static void add(List<String> members, Executable member, String name) {
    if (isVisible(member.getModifiers())) {
      String isStatic = Modifier.isStatic(member.getModifiers()) ? "static " : "";
      String thrown = types(member.getGenericExceptionTypes());
      members.add(
          "  "
              + isStatic
              + name
              + "("
              + types(member.getGenericParameterTypes())
              + ")"
              + (thrown.isEmpty() ? "" : " throws " + thrown));
    }
  }

  private static String types(Type[] types) {
    return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", "));
  }
}
